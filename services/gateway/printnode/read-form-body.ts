/** Bodies of programs that send a form instead of JSON (`application/x-www-form-urlencoded`). */
import { Readable } from 'node:stream'
import type { RequestContext } from '../context.ts'
import { readBody } from '../request/read-body.ts'
import { JSON_LIMIT_BYTES, type receivePrintJob } from '../upload/receive-print-job.ts'

const FORM = /^application\/x-www-form-urlencoded\b/i
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

function parseForm(text: string): object {
  const fields = new Map<string, unknown>()
  for (const [name, value] of new URLSearchParams(text)) {
    const [, outer, inner, innermost] = NESTED.exec(name) ?? []
    if (outer === undefined || inner === undefined) {
      fields.set(name, value)
      continue
    }
    const known = fields.get(outer)
    const nested: Record<string, unknown> =
      typeof known === 'object' && known !== null ? { ...known } : Object.create(null)
    if (innermost === undefined) nested[inner] = value
    else nested[inner] = Object.assign(Object.create(null), nested[inner], { [innermost]: value })
    fields.set(outer, nested)
  }
  return Object.fromEntries(fields)
}
