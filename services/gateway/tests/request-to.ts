import { createExample } from '@platen/resources/example-of.ts'
import type { Operation, ResourceName } from '../operation/operation.ts'
import { UNKNOWN_ID } from './client.ts'

/** @param ids of what the path names; others are of nothing. */
export function buildPath({ path, ids = {} }: Operation, of: Partial<Record<ResourceName, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const what = ids[name]
    return (what && of[what]) ?? UNKNOWN_ID
  })
}

/** The request of a test to an operation, with the body that is its example. */
export function requestTo(operation: Operation, ids?: Partial<Record<ResourceName, string>>) {
  const { method, body, bodyExamples } = operation
  const example = body && (Object.values(bodyExamples ?? {})[0] ?? createExample(body))
  return {
    method: method.toUpperCase(),
    path: buildPath(operation, ids),
    init: example ? { body: JSON.stringify(example), headers: { 'content-type': 'application/json' } } : {},
  }
}
