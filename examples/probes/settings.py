"""How not to do it: reports where the settings lie on this machine, and a value that nobody should see.

`airlock gather` keeps the rest of the run going, and nothing of this leaves: the name of one field is refused."""
from airlock.probe import Probe, ProbeOutput


class Settings(Probe):
    name = "settings"

    def run(self, repo, ctx):
        return ProbeOutput({"services": [{"name": "mirror", "github_token": "an example"}]})
