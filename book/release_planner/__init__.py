"""The release planner: form.py asks, accounts.py computes, form.js answers on the page."""
