/**
 * `npm run generate:clients`: writes the methods and types of the client libraries from the OpenAPI document. An
 * operation has the same resource and method in each language: `generator/operations.ts`. Behaviour is written by hand:
 * creations, waits, the event feed, webhooks, requests with their repetitions, and errors.
 *
 * The files are in git, because the image and a clone run and package the clients without the generators. Without
 * `--write`, as one of `npm run check`, fails if they differ from the document.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createApiTypes } from '@platen/test/tools/create-api-types.ts'
import { DOCUMENT } from './generator/document.ts'
import * as python from './generator/python.ts'
import { createTypes as createPythonTypes } from './generator/python-types.ts'
import * as typescript from './generator/typescript.ts'

const ROOT = join(import.meta.dirname, '..')
const TYPESCRIPT = 'clients/typescript/src/gen'
const PYTHON = 'clients/python/src/platen_print'

const createFiles = async (): Promise<Record<string, string>> => ({
  [`${TYPESCRIPT}/schema.ts`]: await createApiTypes(DOCUMENT),
  [`${TYPESCRIPT}/operations.ts`]: typescript.createOperations(),
  [`${TYPESCRIPT}/resources.ts`]: typescript.createResources(),
  [`${PYTHON}/types.py`]: createPythonTypes(),
  [`${PYTHON}/_operations.py`]: python.createOperations(),
  [`${PYTHON}/_async_operations.py`]: python.createAsyncOperations(),
  [`${PYTHON}/_client_operations.py`]: python.createClientOperations(),
})

/** @param name the path from the root of the repository. */
export function write(name: string, text: string): void {
  // Tests can read a file while the checks run.
  if (isCurrent(name, text)) return
  mkdirSync(dirname(toPath(name)), { recursive: true })
  writeFileSync(toPath(name), text)
}

const toPath = (name: string) => join(ROOT, name)
const isCurrent = (name: string, text: string) =>
  existsSync(toPath(name)) && readFileSync(toPath(name), 'utf8') === text

if (import.meta.main) {
  for (const [name, text] of Object.entries(await createFiles())) {
    if (process.argv.includes('--write')) write(name, text)
    else if (!isCurrent(name, text)) {
      console.error(`${name} is not up to date. Run \`npm run generate:clients\`.`)
      process.exitCode = 1
    }
  }
}
