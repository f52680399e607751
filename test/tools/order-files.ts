/**
 * The order of test files: one project after the other, in random order within each. A worker keeps its modules and its
 * world while the next file is of the same project.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The last of the parallel projects has short files, so that all workers finish together. */
const PROJECTS = ['tables', 'world', 'smoke', 'shipped', 'faults', 'clients', 'agent', 'edge', 'api', 'history']

export class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => hash(moduleId, this.ctx.config.sequence.seed)
    return files.toSorted(
      (a, b) => PROJECTS.indexOf(a.project.name) - PROJECTS.indexOf(b.project.name) || rank(a) - rank(b),
    )
  }
}

/** FNV-1a. */
function hash(text: string, seed: number): number {
  let hash = seed >>> 0
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash
}
