/** What the load's clients ask to be printed: documents of their own, and jobs of before once more. Drawn from the seed; `load.ts` sends it. */
import { createHash } from 'node:crypto'
import { makePdf } from '../harness/pdf.ts'
import type { ClientRequest } from './client.ts'
import type { Random } from './random.ts'
import { canaryOf } from './secrets.ts'
import type { Tenant } from './system/chaos-system.ts'

const SMALL_BYTES = { from: 1_000, to: 5_000 }
const BIG_BYTES = 200_000
const BIG_PERCENT = 10
const REPRINT_PERCENT = 10
/** Of those: the original is a job of another organization, and so one that is not there. */
const FOREIGN_PERCENT = 10

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
  const { random } = author
  const original = random.chance(REPRINT_PERCENT) ? drawOriginal(author) : undefined
  return original ? drawReprint(author, intent, original) : drawUpload(author, intent)
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
