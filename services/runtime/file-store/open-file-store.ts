/** Chooses the file store by URL, so that one machine and a cluster run the same code. A driver is loaded when it is asked for. */
import { ConfigError } from '../config.ts'
import type { ServiceProcess } from '../process.ts'
import type { FileStore } from './file-store.ts'

/**
 * Does not wait for a store that is away: until it is there, all that is asked of it fails.
 *
 * @param url `file:///var/lib/platen/files`, `nats://token@host:4222/bucket`, `s3://bucket/prefix`; see `docs/files.md`.
 * @param answerTimeoutMs of one request to a server; default: 3 s for NATS, 10 s for S3.
 * @throws ConfigError for a URL that is not understood.
 */
export async function openFileStore(
  service: ServiceProcess,
  url: string,
  answerTimeoutMs?: number,
): Promise<FileStore> {
  const parsed = new URL(url)
  switch (parsed.protocol) {
    case 'file:':
      return (await import('./directory-store.ts')).openDirectoryStore(parsed)
    case 'nats:':
      return (await import('./nats-store.ts')).openNatsStore(service, parsed, answerTimeoutMs)
    case 's3:':
      return (await import('./s3-store.ts')).openS3Store(service, parsed, answerTimeoutMs)
    default:
      throw badUrl(
        `no file store is known for ${parsed.protocol} Use file:///directory, nats://host:4222/bucket or s3://bucket`,
      )
  }
}

/** The URL itself is not repeated: it may hold a token. */
export const badUrl = (fault: string): ConfigError => new ConfigError(`PLATEN_FILE_STORE_URL: ${fault}.`)

/** @throws ConfigError for a parameter that is not among `known`. */
export function checkParameters({ searchParams }: URL, known: string[]): void {
  for (const name of searchParams.keys())
    if (!known.includes(name)) throw badUrl(`has the parameter ${name}; known are ${known.join(', ')}`)
}
