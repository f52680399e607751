/** Selects the file store by the scheme of its URL, and loads only its driver. */
import { ConfigError } from '../config.ts'
import type { NatsSettings } from '../messaging/settings.ts'
import type { ServiceProcess } from '../process.ts'
import type { FileStore } from './file-store.ts'
import { measured } from './measured.ts'
import { tryStore } from './try-store.ts'

/**
 * Does not wait for an unreachable store. Its operations fail until it is reachable.
 *
 * @param url `file:///var/lib/platen/files`, `nats://token@host:4222/bucket`, `s3://bucket/prefix`; see
 *   `docs/files.md`.
 * @param nats for a URL without credentials, `nats:///bucket`.
 * @param answerTimeoutMs of one request to a server. Default: 3 s for NATS, 10 s for S3.
 * @throws ConfigError for an invalid URL.
 */
export async function openFileStore(
  service: ServiceProcess,
  url: string,
  nats?: NatsSettings,
  answerTimeoutMs?: number,
): Promise<FileStore> {
  const store = measured(await open(service, url, nats, answerTimeoutMs))
  service.diagnostics.add('document store', async () => {
    await tryStore(store)
    return { fileStore: { kind: new URL(url).protocol.slice(0, -1) } }
  })
  return store
}

async function open(
  service: ServiceProcess,
  url: string,
  nats: NatsSettings | undefined,
  answerTimeoutMs: number | undefined,
): Promise<FileStore> {
  const parsed = new URL(url)
  switch (parsed.protocol) {
    case 'file:':
      return (await import('./directory-store.ts')).openDirectoryStore(parsed)
    case 'nats:':
    case 'tls:':
      return (await import('./nats-store.ts')).openNatsStore(service, parsed, nats, answerTimeoutMs)
    case 's3:':
      return (await import('./s3-store.ts')).openS3Store(service, parsed, answerTimeoutMs)
    default:
      throw badUrl(`unknown scheme ${parsed.protocol} Use file:///directory, nats://host:4222/bucket or s3://bucket`)
  }
}

/** The message does not contain the URL, which can include a token. */
export const badUrl = (fault: string): ConfigError => new ConfigError(`PLATEN_FILE_STORE_URL: ${fault}.`)

/** @throws ConfigError for a parameter that is not in `known`. */
export function checkParameters({ searchParams }: URL, known: string[]): void {
  for (const name of searchParams.keys())
    if (!known.includes(name)) throw badUrl(`unknown parameter ${name}; allowed are ${known.join(', ')}`)
}
