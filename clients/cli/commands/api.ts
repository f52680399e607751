import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { connect } from '../config.ts'
import { EXIT, Failure } from '../exit-codes.ts'
import { print } from '../output.ts'
import { parseOptions } from '../parse.ts'

interface Settings {
  profile?: string
  field?: Record<string, unknown>
  input?: string
  idempotencyKey?: string
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE']

export function addApi(program: Command): void {
  program
    .command('api')
    .description('send any request and print the JSON of its response')
    .argument('<method>', METHODS.join(', '))
    .argument('<path>', 'for example /v1/printers?limit=5')
    .option('-f, --field <name=value>', 'a field of the body, of the query of a GET; can be repeated', parseOptions)
    .option('--input <file>', 'the JSON of the body, - for standard input')
    .option('--idempotency-key <key>', 'makes a creation safe to repeat')
    .action(async (method: string, path: string, _, command: Command) => {
      const { profile, field, input, idempotencyKey } = command.optsWithGlobals<Settings>()
      const name = method.toUpperCase()
      if (!METHODS.includes(name)) throw new Failure(`The method must be one of ${METHODS.join(', ')}.`, EXIT.usage)
      if (field && input !== undefined) throw new Failure('--field and --input cannot be combined.', EXIT.usage)
      const body = input === undefined ? field : readJson(input)
      const call = name === 'GET' ? { query: field as Record<string, string> } : { body, idempotencyKey }
      const json = await connect(profile).request(name, path, call)
      if (json !== undefined) print(JSON.stringify(json, undefined, process.stdout.isTTY ? 2 : undefined))
    })
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? process.stdin.fd : file, 'utf8'))
  } catch (error) {
    throw new Failure(`--input ${file} is not readable JSON: ${(error as Error).message}`, EXIT.usage)
  }
}
