/** Reads the command line of `npm run webhooks`. */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { readSettings } from '../settings.ts'
import { StartupError } from '../startup-error.ts'

export interface ListenOptions {
  /** Without a slash at its end. */
  server: string
  key: string
  forward: URL
  /** As the feed takes them; none: all. */
  types: string[]
  /** `whsec_…`: signs what is forwarded. */
  secret: string
}

const USAGE =
  'Usage: npm run webhooks -- listen --key KEY --forward http://localhost:3000/hook [--server URL] [--type printjob.done …] [--secret whsec_…]'

const OPTIONS = {
  key: { type: 'string' },
  forward: { type: 'string' },
  server: { type: 'string' },
  type: { type: 'string', multiple: true },
  secret: { type: 'string' },
} as const

/** At least as many bytes as Standard Webhooks asks for. */
const SECRET_BYTES = { min: 24, max: 64 }

/**
 * @param env says where the installation of this directory listens, which is the server unless another is named.
 * @throws StartupError that says how the command is called, or which option is wrong; ConfigError.
 */
export function parseArguments(args: string[], env: NodeJS.ProcessEnv): ListenOptions {
  const { values, positionals } = parse(args)
  const { key, forward, type: types = [], secret = newSecret() } = values
  if (positionals.join(' ') !== 'listen' || key === undefined || forward === undefined) throw new StartupError(USAGE)
  const server = values.server ?? readSettings(env).baseUrl
  if (!/^[\x21-\x7e]+$/.test(key)) throw new StartupError('--key must be an API key, such as platen_test_…')
  return {
    server: readUrl('--server', server, 'https://platen.example.com').href.replace(/\/$/, ''),
    key,
    forward: readUrl('--forward', forward, 'http://localhost:3000/hook'),
    types,
    secret: checkedSecret(secret),
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true })
  } catch {
    // It says what is wrong in several sentences, none of which is how it is right.
    throw new StartupError(USAGE)
  }
}

/** Any host: it is the machine and the network of who types it. */
function readUrl(option: string, text: string, example: string): URL {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new StartupError(`${option} must be an http or https URL without a user name, such as ${example}`)
  return url
}

const newSecret = () => `whsec_${randomBytes(SECRET_BYTES.min).toString('base64')}`

function checkedSecret(secret: string): string {
  const encoded = secret.replace(/^whsec_/, '')
  const bytes = Buffer.from(encoded, 'base64')
  const isWhole = bytes.toString('base64') === encoded
  if (!secret.startsWith('whsec_') || !isWhole || bytes.length < SECRET_BYTES.min || bytes.length > SECRET_BYTES.max)
    throw new StartupError('--secret must be whsec_ and the base64 of 24 to 64 bytes; without it one is made.')
  return secret
}
