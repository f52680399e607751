"""Calls an action of `rest_command` as Home Assistant does, with its configuration and its secrets.

The whole program would install the packages of its user interface as well.
"""

import asyncio
import sys
from pathlib import Path

from homeassistant import config_entries, core, loader, setup
from homeassistant.helpers import translation
from homeassistant.util import yaml


async def main(folder: str, action: str, text: str) -> None:
    hass = core.HomeAssistant(folder)
    loader.async_setup(hass)
    translation.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    config = yaml.load_yaml(f"{folder}/configuration.yaml", yaml.Secrets(Path(folder)))
    if not await setup.async_setup_component(hass, "rest_command", config):
        sys.exit("Home Assistant refuses the configuration")
    answer = await hass.services.async_call(
        "rest_command", action, {"text": text}, blocking=True, return_response=True
    )
    await hass.async_stop()
    if answer["status"] != 201:
        sys.exit(f"the answer is {answer}")


asyncio.run(main(*sys.argv[1:]))
