/**
 * Puts a bug into the sources of this process while they are loaded; nothing on disk changes. Called first thing in a process, by
 * the module that `write-plant.ts` makes for `node --import`. Works on TypeScript as it stands in the file: its types are stripped
 * after us.
 */
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { findBug } from './bugs.ts'
import type { Edit, PlantedBug } from './planted-bug.ts'

const ROOT = new URL('../../../', import.meta.url)

/** A process in which the bug is not what it should be must not run: what it did would prove nothing. */
const EXIT_NOT_PLANTED = 78

export function plantBug(name: string): void {
  const bug = findBug(name)
  const editsByUrl = Map.groupBy(bug.edits, ({ file }) => new URL(file, ROOT).href)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const edits = editsByUrl.get(url)
      if (!edits) return loaded
      return { ...loaded, source: applyOrExit(bug, edits, textOf(loaded.source, url)), shortCircuit: true }
    },
  })
}

/** @throws Error when a text is not in the source exactly once. */
export function applyEdits(edits: readonly Edit[], source: string): string {
  return edits.reduce((text, { file, find, replace }) => {
    const count = text.split(find).length - 1
    if (count !== 1) throw new Error(`${file} has this text ${count} times rather than once:\n${find}`)
    return text.replace(find, () => replace)
  }, source)
}

function applyOrExit({ name }: PlantedBug, edits: Edit[], source: string): string {
  try {
    return applyEdits(edits, source)
  } catch (error) {
    process.stderr.write(`The bug "${name}" cannot be planted: ${error instanceof Error ? error.message : error}\n`)
    process.exit(EXIT_NOT_PLANTED)
  }
}

function textOf(source: unknown, url: string): string {
  if (typeof source === 'string') return source
  if (source instanceof Uint8Array) return new TextDecoder().decode(source)
  throw new Error(`${fileURLToPath(url)} was loaded without its source.`)
}
