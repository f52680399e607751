#!/usr/bin/env node
/** Entry point of `platen-agent`. Commands are in `cli/`, one file each. */
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net'
import { INSPECT_PDFS, serveInspections } from './spoolers/pdf/inspections.ts'

const [command] = process.argv.slice(2)

/**
 * Before the next address of a host is tried. The default of 250 ms is shorter than a round trip by satellite, and the
 * first attempt is not continued.
 */
setDefaultAutoSelectFamilyAttemptTimeout(2_000)

/** The command line is loaded only if it is needed. */
const runCommand = async () => (await import('./cli/command-line.ts')).runCommandLine(process.argv.slice(2))

void (command === INSPECT_PDFS ? serveInspections() : runCommand()).then((code) => process.exit(code))
