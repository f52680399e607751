/**
 * Modules of Node, which Deno and Bun have as well. They are not imported, because an import would fail where there are
 * none, and the library is compiled without the types of Node: each caller names the part that it uses.
 */

interface Process {
  env?: Record<string, string | undefined>
  versions?: Record<string, string | undefined>
  getBuiltinModule?(name: string): unknown
}

const getProcess = () => (globalThis as { process?: Process }).process

/** @returns undefined in workers. */
export const getBuiltin = <Module>(name: string) => getProcess()?.getBuiltinModule?.(name) as Module | undefined

/** @returns an empty object also where no environment exists, as in workers. */
export const getEnvironment = (): Record<string, string | undefined> => getProcess()?.env ?? {}

/** Deno and Bun have the interface of Node, and a `fetch` of their own. */
export function isNode(): boolean {
  const { node, deno, bun } = getProcess()?.versions ?? {}
  return node !== undefined && deno === undefined && bun === undefined
}
