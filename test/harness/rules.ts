/** The rules of the documentation that tests prove. `test/tools/rules.ts` compares them with `docs/`. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type RunnerTestCase, type TaskMeta, TestRunner } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    rules?: string[]
  }
}

const currentTest = new AsyncLocalStorage<{ meta: TaskMeta }>()

/** The runner of all projects. A call of `proves` finds its test, also beside concurrent ones. */
export default class extends TestRunner {
  runTask(test: RunnerTestCase) {
    return currentTest.run(test, TestRunner.getTestFn(test))
  }
}

/**
 * Called by a test: names the rules that it proves.
 *
 * @param ids anchors in `docs/`, for example `idempotency.kept.24h`.
 */
export function proves(...ids: string[]): void {
  const test = currentTest.getStore()
  if (!test) throw new Error('`proves` must be called in a test, of a project whose runner is test/harness/rules.ts')
  test.meta.rules = [...(test.meta.rules ?? []), ...ids]
}

/** @returns the title and the rules in the name of a case: `no title [create.title.missing]`. */
export function parseCase(name: string): [title: string, ids: string[]] {
  const [, title = name, ids] = /^(.*) \[([^\]]+)\]$/.exec(name) ?? []
  return [title, ids?.split(' ') ?? []]
}
