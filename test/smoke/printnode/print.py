"""Prints by the official Python library. Arguments: address, key, folder of the library. Writes what it received as JSON."""

import json
import sys

url, key, folder = sys.argv[1:4]
sys.path.insert(0, folder)

from printnodeapi import Gateway  # noqa: E402
from printnodeapi.auth import Unauthorized  # noqa: E402

gateway = Gateway(url=url, apikey=key)
printer = gateway.printers()[0]
pdf = gateway.PrintJob(printer=printer.id, title="Größe für Zoë: 5 €", base64="JVBERi0xLjcK", options={"copies": 1})
raw = gateway.PrintJob(printer=printer.id, title="Label", job_type="raw", binary=b"^XA^XZ")
cancelled = gateway._auth.delete("/printjobs/{}".format(raw.id))
try:
    Gateway(url=url, apikey="wrong").account
    wrong = "accepted"
except Unauthorized as error:
    wrong = error.message
print(
    json.dumps(
        {
            "account": gateway.account.state,
            "computers": [computer.id for computer in gateway.computers()],
            "printer": [printer.id, printer.computer.id],
            "jobs": [[job.id, job.title, job.content_type, job.state] for job in gateway.printjobs()],
            "states": [[state.state for state in states] for states in gateway.states("1,2")],
            "cancelled": cancelled,
            "wrong": wrong,
        }
    )
)
