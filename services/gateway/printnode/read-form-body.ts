/** Bodies of programs that send a form instead of JSON (`application/x-www-form-urlencoded`). */
import { Readable } from 'node:stream'
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext } from '../context.ts'
import { JSON_LIMIT_BYTES, type receivePrintJob } from '../print-jobs/upload/receive-print-job.ts'
import { readBody } from '../request/read-body.ts'

const FORM = /^application\/x-www-form-urlencoded\b/i
/** The fields of a job, whose options are fields, too. */
const FIELDS_MAX = 64
/** Beside the document. */
const FIELDS_LENGTH_MAX = 64 * 1024
/** `options[copies]`. */
const NESTED = /^(\w+)\[(\w+)\](?:\[(\w+)\])?$/

type Body = Parameters<typeof receivePrintJob>[1]

/** @returns the body as JSON; nothing for other bodies, which are JSON. */
export async function readFormBody(ctx: RequestContext): Promise<{ body?: Body }> {
  const type = ctx.get('Content-Type')
  if (!FORM.test(type)) return {}
  const chunks: Buffer[] = []
  for await (const chunk of readBody(ctx, JSON_LIMIT_BYTES)) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  // Programs without a content type of their own send JSON with the one of their library.
  const json = Buffer.from(text.trimStart().startsWith('{') ? text : JSON.stringify(parseForm(text)))
  const req = Object.assign(Readable.from([json]), {
    headers: { 'content-type': 'application/json', 'content-length': String(json.length) },
  })
  return { body: { req, res: ctx.res } as unknown as Body }
}

/** @throws ApiError `invalid_request` */
function parseForm(text: string): object {
  const fields: Record<string, unknown> = Object.create(null)
  let count = 0
  let length = 0
  for (const [name, value] of new URLSearchParams(text)) {
    length += name.length + (name === 'content' ? 0 : value.length)
    if (++count > FIELDS_MAX || length > FIELDS_LENGTH_MAX)
      throw new ApiError(
        'invalid_request',
        `The form must have at most ${FIELDS_MAX} fields, and ${FIELDS_LENGTH_MAX} characters beside \`content\`.`,
      )
    const [, outer = name, ...inner] = NESTED.exec(name) ?? []
    const path = [outer, ...inner.filter((part) => part !== undefined)]
    const last = path.pop() ?? name
    path.reduce(openField, fields)[last] = value
  }
  return fields
}

/** A field that has a text already becomes an object. */
function openField(fields: Record<string, unknown>, name: string): Record<string, unknown> {
  const known = fields[name]
  const nested = typeof known === 'object' && known !== null ? known : Object.create(null)
  fields[name] = nested
  return nested
}
