/** `login` and `whoami`. */
import { readFileSync } from 'node:fs'
import { ConnectionError, type Identity, Platen, PlatenError } from '@platen/sdk'
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
    .option('--server <url>', 'the address of the installation, or of one of its pages; without a scheme it is https')
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
  const given = server ?? ((await ask(`Server (${known}): `)) || known)
  const url = toServerUrl(given)
  const key = keyFile === undefined ? await ask('API key: ', { isHidden: true }) : readKey(keyFile)
  try {
    const { organization, mode, apiKey } = await new Platen({ baseUrl: url, apiKey: key }).whoami()
    const name = profile ?? `${new URL(url).host}-${mode}`
    const file = writeProfile(name, { url, key })
    inform(
      `Logged in to ${organization.name}, mode ${mode}, scopes ${apiKey?.scopes.join(', ')}. Profile ${name} in ${file}.`,
    )
  } catch (error) {
    if (!(error instanceof PlatenError)) throw error
    const isGuess = error instanceof ConnectionError && !SCHEME.test(given.trim()) && url.startsWith('https:')
    const hint = isGuess ? ' An installation without TLS needs an address that begins with http://.' : ''
    throw new Failure(`Not logged in. ${error.message}${hint}`)
  }
}

/** Pages and endpoints of an installation, whose address is pasted in place of that of the installation. */
const BELOW = /\/(v1|app|docs|clients|agents)(\/.*)?$/
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i
/** A host on this computer has no TLS, unless its address says so. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:|\/|$)/i

/**
 * @param text the address of an installation, or of one of its pages, with or without a scheme.
 * @throws Failure if it is no address.
 */
export function toServerUrl(text: string): string {
  const trimmed = text.trim()
  const full = SCHEME.test(trimmed) ? trimmed : `${LOOPBACK.test(trimmed) ? 'http' : 'https'}://${trimmed}`
  const url = URL.canParse(full) ? new URL(full) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new Failure(
      `${JSON.stringify(trimmed)} is no address of an installation. It is for example https://print.example.com`,
      EXIT.usage,
    )
  return url.origin + url.pathname.replace(BELOW, '').replace(/\/+$/, '')
}

function readKey(file: string): string {
  try {
    return readFileSync(file === '-' ? process.stdin.fd : file, 'utf8').trim()
  } catch (error) {
    throw new Failure(`--key-file ${file} is not readable: ${(error as Error).message}`, EXIT.usage)
  }
}
