#!/usr/bin/env node
/** Entry point of `platen-agent`. Commands are in `cli/`, one file each. */
import { PDF_INFO, printPdfInfo } from './spoolers/pdf-info.ts'

const [command, ...rest] = process.argv.slice(2)

/** The command line is loaded only if it is needed. */
const runCommand = async () => (await import('./cli/command-line.ts')).runCommandLine(process.argv.slice(2))

void (command === PDF_INFO ? printPdfInfo(rest[0] ?? '').catch(() => 1) : runCommand()).then((code) =>
  process.exit(code),
)
