"""To press a button of a figure's row, which may stand in its menu."""

from playwright.sync_api import Page


def press(page: Page, action: str, figure: str = "figure.live") -> None:
    """Press the button of this action, by way of the menu "More" if that holds it."""
    button = page.locator(f"{figure} .live-buttons [data-action={action}]").first
    if not button.is_visible():
        page.locator(f"{figure} .live-menu > summary").first.click()
    button.click(force=True)  # one that says why it does nothing is disabled to playwright
