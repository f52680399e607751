/**
 * `npm run generate:nats`: writes the users of nats-server into the files that have them. Without `--write`, as one of
 * `npm run check`, fails if a file differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NATS_OPERATOR, renderNatsUsers } from '../../deploy/nats-users.ts'

const toVariable = (name: string) => name.toUpperCase().replace('-', '_')

interface Target {
  /** The password of the user for operators as well. */
  toPassword: (name: string) => string
  hasOperator: boolean
  /** The bucket of documents, if they are stored in NATS. */
  bucket?: string
}

const TARGETS: Record<string, Target> = {
  'docs/operations/nats-permissions.md': {
    toPassword: (name) => `$${toVariable(name)}_PASSWORD`,
    hasOperator: true,
    bucket: 'documents',
  },
  'deploy/compose/nats.conf': { toPassword: () => '$NATS_PASSWORD', hasOperator: false },
  'helm/platen/examples/cnpg-nats-s3/nats.yaml': {
    toPassword: (name) => `$QUOTED_${toVariable(name)}`,
    hasOperator: true,
  },
}

/** From the name of the list to the bracket below it. */
const BLOCK = /^( *)users = \[\n[\s\S]*?^\1\]$/m

function render({ toPassword, hasOperator, bucket }: Target): string {
  const operator = `\n{ user: ${NATS_OPERATOR}, password: ${toPassword('operator')} }`
  return `${renderNatsUsers(toPassword, bucket)}${hasOperator ? operator : ''}`
}

for (const [path, target] of Object.entries(TARGETS)) {
  const file = join(import.meta.dirname, '../..', path)
  const present = readFileSync(file, 'utf8')
  const text = present.replace(BLOCK, (_block, indent: string) => {
    const lines = render(target).split('\n')
    return [`${indent}users = [`, ...lines.map((line) => `${indent}  ${line}`), `${indent}]`].join('\n')
  })
  if (text === present) continue
  if (process.argv.includes('--write')) writeFileSync(file, text)
  else {
    console.error(`${path} is not up to date. Run \`npm run generate:nats\`.`)
    process.exitCode = 1
  }
}
