/** Finds the package that an installation offers at `/agents/` for this computer. */
import {
  CHECKSUMS,
  parseChecksums,
  parsePackageName,
  SIGNATURE,
  toSignedComment,
} from '@platen/proto/agent-packages.ts'
import { explain } from '../transport/explain-error.ts'
import { type HttpAnswer, type Route, request } from '../transport/request.ts'
import { verifySignature } from './verify-signature.ts'

const TIMEOUT_MS = 30_000

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'macos' }

/** The update would fail again. The message is a sentence. */
export class UpdateRefused extends Error {
  override name = 'UpdateRefused'
  /** Empty if it is unknown. */
  version: string

  constructor(version: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.version = version
  }
}

export interface Release {
  version: string
  url: URL
  /** In hex. */
  sha256: string
}

export interface Source extends Route {
  /** The address of the service. */
  serverUrl: string
  /** Public, in the form of `minisign -P`. */
  releaseKey: string
}

/**
 * Trusts only what the release key has signed: the list of checksums, with the version.
 *
 * @throws UpdateRefused if nothing is offered for this computer, or its signature is not valid; Error if the service
 *   does not answer.
 */
export async function findRelease({ serverUrl, releaseKey, ...route }: Source): Promise<Release> {
  const list = await get(serverUrl, CHECKSUMS, route)
  if (list.status === 404) throw new UpdateRefused('', `${serverUrl} offers no packages of the agent.`)
  const found = findPackage(expectFound(list, serverUrl).body)
  if (!found) throw new UpdateRefused('', `${serverUrl} offers no package for ${process.platform} on ${process.arch}.`)
  const { file, sha256, version } = found
  const signature = await get(serverUrl, SIGNATURE, route)
  if (signature.status === 404)
    throw new UpdateRefused(
      version,
      `The packages at ${serverUrl} are not signed, so they cannot be verified. Sign them, or install the package by hand.`,
    )
  verify(list.body, expectFound(signature, serverUrl).body, { version, releaseKey })
  return { version, url: new URL(`/agents/${file}`, serverUrl), sha256 }
}

function findPackage(list: string) {
  const target = `${SYSTEMS[process.platform]}-${process.arch}`
  for (const [file, sha256] of parseChecksums(list)) {
    const name = parsePackageName(file)
    if (name?.format === 'tar.gz' && `${name.platform}-${name.architecture}` === target)
      return { file, sha256, version: name.version }
  }
  return undefined
}

function verify(list: string, signature: string, { version, releaseKey }: { version: string; releaseKey: string }) {
  let comment: string
  try {
    comment = verifySignature(Buffer.from(list), signature, releaseKey)
  } catch (error) {
    const reason = (error as Error).message
    throw new UpdateRefused(
      version,
      `The packages of version ${version} are not those of the publisher of this agent: ${reason}. Nothing was installed.`,
      { cause: error },
    )
  }
  if (comment !== toSignedComment(version))
    throw new UpdateRefused(
      version,
      `The signature is of "${comment}" and not of version ${version}. Nothing was installed.`,
    )
}

async function get(serverUrl: string, name: string, route: Route): Promise<HttpAnswer> {
  const url = new URL(`/agents/${name}`, serverUrl)
  return await request(url, route, { method: 'GET', timeoutMs: TIMEOUT_MS }).catch((error) => {
    throw new Error(explain(error, url.host), { cause: error })
  })
}

function expectFound(answer: HttpAnswer, serverUrl: string): HttpAnswer {
  if (answer.status !== 200)
    throw new Error(`${serverUrl} answers ${answer.status} to the request for packages. Try again.`)
  return answer
}
