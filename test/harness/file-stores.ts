/**
 * A file store of each kind, on a real server if it has one, with a connection that tests can break.
 */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'
import { startTestNats } from './nats.ts'
import { S3_BUCKET, S3_CREDENTIALS, startS3Server } from './s3-server.ts'
import { startTcpProxy } from './tcp-proxy.ts'

export const FILE_STORES = ['file', 'nats', 's3'] as const
export type FileStoreKind = (typeof FILE_STORES)[number]

export interface TestFileStore {
  /** For `openFileStore`. */
  url: string
  /** The directory of the documents or of the server. */
  directory?: string
  /** Makes the store unreachable. */
  cut(): Promise<void>
  /** The store accepts requests and never responds. Not supported by the directory. */
  hang?(): Promise<void>
  heal(): Promise<void>
}

export async function startTestFileStore(kind: FileStoreKind): Promise<TestFileStore> {
  if (kind === 'file') return await startDirectory()
  return kind === 'nats' ? await startNatsStore() : await startS3()
}

async function startDirectory(): Promise<TestFileStore> {
  const root = await temporaryDirectory()
  const directory = join(root, 'files')
  const aside = join(root, 'aside')
  return {
    url: pathToFileURL(directory).href,
    directory,
    /** Simulates an unmounted disk whose mount point is not writable. */
    async cut() {
      await rename(directory, aside).catch(() => undefined)
      await writeFile(directory, '')
    },
    async heal() {
      await rm(directory)
      await rename(aside, directory).catch(() => undefined)
    },
  }
}

async function startNatsStore(): Promise<TestFileStore> {
  const { url } = await startTestNats()
  const { port, ...ways } = await startWay(Number(new URL(url).port))
  return { url: `${Object.assign(new URL(url), { port }).href.replace(/\/$/, '')}/documents`, ...ways }
}

async function startS3(): Promise<TestFileStore> {
  const directory = await temporaryDirectory()
  const port = await freePort()
  const server = await startS3Server({ address: '127.0.0.1', port, directory })
  onTestFinished(() => server.close())
  Object.assign(process.env, S3_CREDENTIALS)
  const { port: wayPort, ...ways } = await startWay(port)
  const endpoint = encodeURIComponent(`http://127.0.0.1:${wayPort}`)
  return { url: `s3://${S3_BUCKET}/platen?endpoint=${endpoint}`, directory, ...ways }
}

async function startWay(to: number) {
  const port = String(await freePort())
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(port) }, { host: '127.0.0.1', port: to })
  onTestFinished(() => proxy.close())
  return { port, cut: async () => proxy.cut(), hang: async () => proxy.halfOpen(), heal: () => proxy.heal() }
}

async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-files-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
