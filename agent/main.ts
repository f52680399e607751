#!/usr/bin/env node
/** Entry point of `platen-agent`. Commands are in `cli/`, one file each. */
import { runCommandLine } from './cli/command-line.ts'

void runCommandLine(process.argv.slice(2)).then((code) => process.exit(code))
