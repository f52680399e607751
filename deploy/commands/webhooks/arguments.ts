/** Parses the command line of `npm run webhooks`. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makeSecret } from '@platen/webhooks/delivery/sign.ts'
import { readSettings } from '../../launcher/settings.ts'
import { StartupError } from '../../launcher/startup-error.ts'

export interface ListenOptions {
  /** Without a trailing slash. */
  server: string
  key: string
  forward: URL
  /** As in `GET /v1/events`. Empty: all types. */
  types: string[]
  /** `whsec_…`: signs the forwarded events. */
  secret: string
}

const USAGE =
  'Usage: npm run webhooks -- listen --forward http://localhost:3000/hook [--key-file FILE] [--server URL] [--type printjob.done …]\n' +
  'The key is read from PLATEN_KEY, from FILE, or from standard input if FILE is -. WEBHOOK_SECRET is the secret that signs; default: a new one.'

const OPTIONS = {
  'key-file': { type: 'string' },
  forward: { type: 'string' },
  server: { type: 'string' },
  type: { type: 'string', multiple: true },
} as const

/** Source: Standard Webhooks. */
const SECRET_BYTES = { min: 24, max: 64 }

/**
 * Key and secret are not arguments, because every user of the machine can read a command line.
 *
 * @param env for key and secret, and the address of the installation in this directory, which is the default server.
 * @throws StartupError with the usage or the invalid option; ConfigError.
 */
export function parseArguments(args: string[], env: NodeJS.ProcessEnv): ListenOptions {
  const { values, positionals } = parse(args)
  const { 'key-file': keyFile, forward, type: types = [] } = values
  if (positionals.join(' ') !== 'listen' || forward === undefined) throw new StartupError(USAGE)
  const key = keyFile === undefined ? env.PLATEN_KEY : readKeyFile(keyFile)
  if (!key) throw new StartupError(USAGE)
  const server = values.server ?? readSettings(env).baseUrl
  if (!/^[\x21-\x7e]+$/.test(key)) throw new StartupError('The key must be an API key, for example `platen_test_…`.')
  return {
    server: parseUrl('--server', server, 'https://platen.example.com').href.replace(/\/$/, ''),
    key,
    forward: parseUrl('--forward', forward, 'http://localhost:3000/hook'),
    types,
    secret: checkSecret(env.WEBHOOK_SECRET || makeSecret()),
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true })
  } catch {
    // The usage is clearer than the error message of parseArgs.
    throw new StartupError(USAGE)
  }
}

/** @param path `-` for standard input. */
function readKeyFile(path: string): string {
  try {
    return readFileSync(path === '-' ? process.stdin.fd : path, 'utf8').trim()
  } catch (error) {
    throw new StartupError(`\`--key-file\` ${path} is not readable: ${(error as Error).message}`)
  }
}

/** Accepts any host, because the program runs in the network of its user. */
function parseUrl(option: string, text: string, example: string): URL {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new StartupError(`\`${option}\` must be an http or https URL without a user name, for example ${example}`)
  return url
}

function checkSecret(secret: string): string {
  const encoded = secret.replace(/^whsec_/, '')
  const bytes = Buffer.from(encoded, 'base64')
  const isWhole = bytes.toString('base64') === encoded
  if (!secret.startsWith('whsec_') || !isWhole || bytes.length < SECRET_BYTES.min || bytes.length > SECRET_BYTES.max)
    throw new StartupError(
      'WEBHOOK_SECRET must be `whsec_` and the base64 of 24 to 64 bytes. Without it, a secret is generated.',
    )
  return secret
}
