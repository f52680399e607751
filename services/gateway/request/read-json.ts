/** The body of every operation but the creation of print jobs, which streams: see `upload/`. */
import { BODY_MAX_BYTES } from '@platen/resources/limits.ts'
import type { z } from 'zod'
import type { RequestContext } from '../context.ts'
import { createContentScanner } from './content-scanner.ts'
import { parseRequest } from './invalid-request.ts'
import { refuseOtherBody } from './json-body.ts'
import { expectsBody, readBody } from './read-body.ts'

/**
 * Reads a body of at most 64 KiB: strict JSON in UTF-8, no key twice in one object, nothing that could reach a prototype, within the
 * limits of depth and members that creations have too. A step of its own for the content type is not needed.
 *
 * @param schema of the body; a `z.strictObject`, so that an unknown field is a 400 that names it.
 * @throws ApiError `unsupported_media_type`, `content_too_large` (at once when the announced length is), `invalid_request` that names
 *   the fields and their rules.
 * @throws RequestAborted
 */
export async function readJson<T>(ctx: RequestContext, schema: z.ZodType<T>): Promise<T> {
  refuseOtherBody(ctx)
  const scanner = createContentScanner(null)
  for await (const chunk of readBody(ctx, BODY_MAX_BYTES)) scanner.push(chunk)
  return parseRequest(schema, scanner.end(), 'field')
}

/** For a body in which everything may be left out: none at all is as good as `{}`. Fails like `readJson`. */
export async function readOptionalJson<T>(ctx: RequestContext, schema: z.ZodType<T>): Promise<T> {
  return expectsBody(ctx.req) ? await readJson(ctx, schema) : schema.parse({})
}
