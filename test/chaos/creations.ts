/**
 * What the load's clients ask to be printed: documents of their own, documents at a URL, and jobs of before once more. Drawn from the
 * seed; `load.ts` sends it.
 */
import { createHash } from 'node:crypto'
import { makePdf } from '../harness/pdf.ts'
import type { ClientRequest } from './client.ts'
import type { Random } from './random.ts'
import { canaryOf } from './secrets.ts'
import type { Tenant } from './system/chaos-system.ts'
import { credentialsOf, type DocumentServer } from './system/document-server.ts'

const SMALL_BYTES = { from: 1_000, to: 5_000 }
const BIG_BYTES = 200_000
const BIG_PERCENT = 10
const REPRINT_PERCENT = 10
/** Of those: the original is a job of another organization, and so one that is not there. */
const FOREIGN_PERCENT = 10
const URL_PERCENT = 10
/** Of those. */
const FETCH_FAILS_PERCENT = 30
const TRICKLES_PERCENT = 25
const RAW_PERCENT = 30
const PROTECTED_PERCENT = 50
/** Without it a document is none that may be sent as a PDF. */
const PDF_MARKER_BYTES = 5

/** What is sent, but to which gateway. */
export type Creation = Omit<ClientRequest, 'baseUrl'>

/** A job that a client was told of. */
export interface MadeJob {
  id: string
  /** Of the document that it is to have, hex. */
  contentSha256: string | undefined
}

/** Whoever draws a creation. */
export interface Author {
  seed: number
  tenant: Tenant
  tenants: readonly Tenant[]
  random: Random
  printerIds: readonly string[]
  /** Undefined where there cannot be one: nothing is fetched then. */
  documents: DocumentServer | undefined
  /** So far, by organization. */
  jobs: Record<string, MadeJob[]>
}

export interface Intent {
  /** Stands in the title. */
  marker: string
  expires?: boolean
  key?: string | undefined
}

export function drawCreation(author: Author, intent: Intent): Creation {
  const { random, documents } = author
  const original = random.chance(REPRINT_PERCENT) ? drawOriginal(author) : undefined
  if (original) return drawReprint(author, intent, original)
  return documents && random.chance(URL_PERCENT) ? drawUrl(author, intent, documents) : drawUpload(author, intent)
}

/** A creation with a document of its own. */
export function drawUpload(author: Author, intent: Intent): Creation {
  const content = drawDocument(author, intent.marker)
  const document = { contentType: 'pdf_base64', content: content.toString('base64') }
  return creationOf(author, intent, document, { contentSha256: sha256Of(content) })
}

/** Any job, so that also the reprint of a reprint is asked for, and that of one which is still on its way. */
function drawOriginal({ random, tenant, tenants, jobs }: Author): MadeJob | undefined {
  const { organizationId } = random.chance(FOREIGN_PERCENT) ? random.pick(tenants) : tenant
  const originals = jobs[organizationId] ?? []
  return originals.length === 0 ? undefined : random.pick(originals)
}

function drawReprint(author: Author, intent: Intent, { id, contentSha256 }: MadeJob): Creation {
  const facts = { reprintOf: id, ...(contentSha256 === undefined ? {} : { contentSha256 }) }
  return creationOf(author, intent, { reprintOf: id }, facts)
}

/**
 * A fetch holds the later jobs of its printer, for as long as its lease when a fault leaves it to another replica. So all go to one
 * printer, and the others have something to print meanwhile.
 */
function drawUrl(author: Author, intent: Intent, documents: DocumentServer): Creation {
  const { random, tenant, seed, printerIds } = author
  const canary = canaryOf(tenant, seed)
  const isRaw = random.chance(RAW_PERCENT)
  const document = drawDocument(author, intent.marker)
  const content = isRaw ? document.subarray(PDF_MARKER_BYTES) : document
  const fails = random.chance(FETCH_FAILS_PERCENT)
  const manner = fails
    ? random.pick(['missing', 'broken off'] as const)
    : random.chance(TRICKLES_PERCENT)
      ? 'trickling'
      : 'at once'
  const isProtected = random.chance(PROTECTED_PERCENT)
  const path = `/${canary}/${encodeURIComponent(intent.marker)}`
  const url = documents.serve(path, { content, manner, ...(isProtected ? { password: canary } : {}) })
  const body = {
    contentType: isRaw ? 'raw_uri' : 'pdf_uri',
    content: url,
    ...(isProtected ? { authentication: credentialsOf(canary) } : {}),
  }
  const facts: Partial<Creation['call']> = fails
    ? { serves: 'nothing' }
    : { serves: 'document', contentSha256: sha256Of(content) }
  return creationOf({ ...author, printerIds: printerIds.slice(0, 1) }, intent, body, facts)
}

function drawDocument({ random, tenant, seed }: Author, marker: string): Buffer {
  const sizeBytes = random.chance(BIG_PERCENT) ? BIG_BYTES : random.integer(SMALL_BYTES.from, SMALL_BYTES.to)
  return makePdf(`${marker} ${canaryOf(tenant, seed)}`, sizeBytes)
}

function creationOf(
  { random, printerIds }: Author,
  { marker, expires = false, key }: Intent,
  document: Record<string, unknown>,
  facts: Partial<Creation['call']>,
): Creation {
  const qty = random.integer(1, 3)
  const job = {
    printerId: random.pick(printerIds),
    title: marker,
    ...document,
    qty,
    ...(expires ? { expireAfter: 60 } : {}),
  }
  return {
    path: '/v1/printjobs',
    body: JSON.stringify(job),
    call: { kind: 'create', marker, qty, ...facts, ...(key === undefined ? {} : { key }) },
  }
}

const sha256Of = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
