/** `login` and `whoami`. */
import { readFileSync } from 'node:fs'
import { type Identity, Platen, PlatenError } from '@platen/sdk'
import type { Command } from 'commander'
import { ask } from '../ask.ts'
import { connect, readConfig, writeProfile } from '../config.ts'
import { EXIT, Failure } from '../exit-codes.ts'
import { type Column, inform, type OutputOptions, printRows } from '../output.ts'

interface LoginSettings {
  server?: string
  keyFile?: string
  profile?: string
}

const DEFAULT_SERVER = 'http://localhost:8080'

const COLUMNS: Column<Identity>[] = [
  { title: 'organization', get: ({ organization }) => organization.name },
  { title: 'mode', get: ({ mode }) => mode },
  { title: 'key', get: ({ apiKey }) => apiKey?.name },
  { title: 'scopes', get: ({ apiKey }) => apiKey?.scopes.join(',') },
]

export function addAccount(program: Command): void {
  program
    .command('login')
    .description('store the address of an installation and an API key as a profile')
    .option('--server <url>', 'the address of the REST API')
    .option('--key-file <file>', 'a file with the API key, - for standard input; default: asks for it')
    .action(async (_, command: Command) => await login(command.optsWithGlobals<LoginSettings>()))

  program
    .command('whoami')
    .description('the organization, mode and scopes of the API key')
    .action(async (_, command: Command) => {
      const settings = command.optsWithGlobals<OutputOptions & { profile?: string }>()
      const identity = await connect(settings.profile).whoami()
      printRows([identity], COLUMNS, settings)
    })
}

/** The key is no option, because every user of the machine can read a command line. */
async function login({ server, keyFile, profile }: LoginSettings): Promise<void> {
  const { current = '', profiles } = readConfig()
  const known = process.env.PLATEN_URL ?? profiles[current]?.url ?? DEFAULT_SERVER
  const url = server ?? ((await ask(`Server (${known}): `)) || known)
  const key = keyFile === undefined ? await ask('API key: ', { isHidden: true }) : readKey(keyFile)
  try {
    const { organization, mode, apiKey } = await new Platen({ baseUrl: url, apiKey: key }).whoami()
    const name = profile ?? `${new URL(url).host}-${mode}`
    const file = writeProfile(name, { url, key })
    inform(
      `Logged in to ${organization.name}, mode ${mode}, scopes ${apiKey?.scopes.join(', ')}. Profile ${name} in ${file}.`,
    )
  } catch (error) {
    if (error instanceof PlatenError) throw new Failure(`Not logged in. ${error.message}`)
    throw error
  }
}

function readKey(file: string): string {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8').trim()
  } catch (error) {
    throw new Failure(`--key-file ${file} is not readable: ${(error as Error).message}`, EXIT.usage)
  }
}
