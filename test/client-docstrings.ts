/**
 * `npm run generate:clients`: writes the descriptions of the operations into the docstrings of `clients/typescript`. Without `--write`, as one
 * of `npm run check`, fails if they differ from the OpenAPI document.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPENAPI_DOCUMENT } from '@platen/gateway/openapi/document.ts'

interface Operation {
  operationId: string
  description: string
}

const ROOT = join(import.meta.dirname, '..')
const WIDTH = 120
/** A comment that names an operation: the lines before its name are generated. */
const DOCSTRING = /^( *)\/\*\*(?:(?!\*\/)[\s\S])*?@operation (\w+)((?:(?!\*\/)[\s\S])*)\*\/$/gm

const operations = new Map(
  Object.values(OPENAPI_DOCUMENT.paths ?? {})
    .flatMap((path) => Object.values(path) as Operation[])
    .map((operation) => [operation.operationId, operation]),
)

for (const file of globSync('clients/typescript/src/*.ts', { cwd: ROOT })) update(file)

function update(file: string): void {
  const path = join(ROOT, file)
  const present = readFileSync(path, 'utf8')
  const text = present.replaceAll(DOCSTRING, toDocstring)
  if (present === text) return
  if (process.argv.includes('--write')) {
    writeFileSync(path, text)
    return
  }
  console.error(`${file} is not up to date. Run \`npm run generate:clients\`.`)
  process.exitCode = 1
}

function toDocstring(_: string, indent: string, operationId: string, more: string): string {
  const operation = operations.get(operationId)
  if (!operation) throw new Error(`The OpenAPI document has no operation ${operationId}.`)
  // A session is no credential of these clients.
  const description = operation.description.replace(/ With a session it requires [^.]*\./, '')
  const lines = description.split('\n').flatMap((line) => wrap(line, WIDTH - indent.length - ' * '.length))
  const tags = more
    .split('\n')
    .map((line) => line.replace(/^ *\* ?/, '').trimEnd())
    .filter((line) => line !== '')
  const all = [...lines, '', `@operation ${operationId}`, ...tags]
  return `${indent}/**\n${all.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */`
}

function wrap(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line === '') lines[lines.length - 1] = word
    else if (`${line} ${word}`.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
