#!/usr/bin/env node
/** The program on people's computers. What it can do is in `cli/`, one file for each command. */
import { runCommandLine } from './cli/command-line.ts'

void runCommandLine(process.argv.slice(2)).then((code) => process.exit(code))
