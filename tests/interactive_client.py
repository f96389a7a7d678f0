"""Runs a notebook as somebody would who sits before it: figures then show their widgets."""

from nbclient import NotebookClient


class AttendedClient(NotebookClient):
    """nbclient, which says that nobody can type; this one says that somebody can."""

    async def async_start_new_kernel_client(self):
        client = await super().async_start_new_kernel_client()
        client.allow_stdin = True
        return client
