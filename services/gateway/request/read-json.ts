/** The bodies of all operations except the creation of print jobs, whose body is streamed: see `upload/`. */
import { BODY_MAX_BYTES } from '@platen/resources/limits.ts'
import type { z } from 'zod'
import type { RequestContext } from '../context.ts'
import { createContentScanner } from './content-scanner.ts'
import { parseRequest } from './invalid-request.ts'
import { refuseOtherBody } from './json-body.ts'
import { expectsBody, readBody } from './read-body.ts'

/**
 * Reads a body of at most 64 KiB: strict JSON in UTF-8 without repeated keys and keys of prototypes, within the limits
 * of depth and members of a creation. Also checks the content type.
 *
 * @param schema of the body; a `z.strictObject`, so that an unknown field is refused by name.
 * @throws ApiError `unsupported_media_type`; `content_too_large`, at once if the announced length exceeds the limit;
 *   `invalid_request` with the fields and their rules.
 * @throws RequestAborted
 */
export async function readJson<T>(ctx: RequestContext, schema: z.ZodType<T>): Promise<T> {
  refuseOtherBody(ctx)
  const scanner = createContentScanner(null)
  for await (const chunk of readBody(ctx, BODY_MAX_BYTES)) scanner.push(chunk)
  return parseRequest(schema, scanner.end(), 'field')
}

/** For a body without required fields. No body is the same as `{}`. @throws like `readJson`. */
export async function readOptionalJson<T>(ctx: RequestContext, schema: z.ZodType<T>): Promise<T> {
  return expectsBody(ctx.req) ? await readJson(ctx, schema) : schema.parse({})
}
