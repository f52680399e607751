import type { OpenApiDocument, Reference } from './document.ts'
import type { JsonSchema } from './json-schema.ts'

/** What a reference stands for; anything else as it is. @throws Error for a reference that leads nowhere. */
export function resolve<T extends object>(document: OpenApiDocument, value: T | Reference | JsonSchema): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T
  const found = value.$ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document)
  if (!found) throw new Error(`${value.$ref} is not in the document`)
  return found as T
}
