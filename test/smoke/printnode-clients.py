"""Prints by the official Python library of PrintNode, unchanged. Arguments: address, key. Writes what it saw as JSON."""

import json
import sys

from printnodeapi import Gateway
from printnodeapi.auth import Unauthorized

url, key = sys.argv[1:3]
gateway = Gateway(url=url, apikey=key)
printer = gateway.printers()[0]
pdf = gateway.PrintJob(printer=printer.id, title="Python", base64="JVBERi0xLjcK", options={"copies": 1})
raw = gateway.PrintJob(printer=printer.id, title="Label", job_type="raw", binary=b"^XA^XZ")
found = gateway.printjobs(printjob=pdf.id)
try:
    Gateway(url=url, apikey="wrong").account
    wrong = "accepted"
except Unauthorized:
    wrong = "unauthorized"
print(
    json.dumps(
        {
            "account": gateway.account.firstname,
            "computers": [computer.state for computer in gateway.computers()],
            "printer": [printer.name, printer.computer.id],
            "jobs": [pdf.title, raw.title, pdf.state],
            "found": found.title,
            "states": [[state.state for state in states] for states in gateway.states(pdf.id)],
            "wrong": wrong,
        }
    )
)
