import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const MAIN = join(import.meta.dirname, '../../../services/main.ts')

test.each([[[]], [['job']], [['constructor']]])(
  'a process with the arguments %j ends with the roles of services, and starts none',
  (args) => {
    const { status, stdout } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' })
    expect(status).toBe(78)
    expect(stdout).toMatch(/Unknown role .* Use one of: accounts, webhooks, .*, all\./)
  },
)
