#!/usr/bin/env node
/** Entry point of `platen-agent`. Commands are in `cli/`, one file each. */
import { INSPECT_PDFS, serveInspections } from './spoolers/pdf/inspections.ts'

const [command] = process.argv.slice(2)

/** The command line is loaded only if it is needed. */
const runCommand = async () => (await import('./cli/command-line.ts')).runCommandLine(process.argv.slice(2))

void (command === INSPECT_PDFS ? serveInspections() : runCommand()).then((code) => process.exit(code))
