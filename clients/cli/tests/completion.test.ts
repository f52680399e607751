/** Completion in real shells on a terminal, as users install it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installation, newOrganization } from '@platen/test/api/installation.ts'
import { beforeAll, expect, test } from 'vitest'
import { type Environment, MAIN, runInTerminal } from './run-platen.ts'

const SHELLS: [shell: string, start: string, load: string][] = [
  ['bash', `env 'PS1=ready> ' bash --norc -i`, 'source <(platen completion bash)'],
  ['zsh', `env 'PS1=ready> ' zsh -f -i`, 'autoload -U compinit; compinit -u -D; source <(platen completion zsh)'],
  [
    'fish',
    'fish --no-config -i -C \'function fish_prompt; echo -n "ready> "; end\'',
    'platen completion fish | source',
  ],
]
const isMissing = (shell: string) => spawnSync(shell, ['--version']).status !== 0

let dir: string
let env: Environment

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'platen-completion-'))
  const program = join(dir, 'platen')
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
  await chmod(program, 0o755)
  const { testApi } = await newOrganization()
  const { id } = await testApi.printer('Test A4 Laser')
  // Only the shells could run what is in a name.
  await testApi.patch(`/v1/printers/${id}`, { displayName: 'Zebra $(touch ran) 2' })
  const url = installation.credentials.baseUrl
  env = { HOME: dir, PATH: `${dir}:${process.env.PATH}`, PLATEN_URL: url, PLATEN_KEY: testApi.key }
  return () => rm(dir, { recursive: true })
})

for (const [shell, start, load] of SHELLS)
  test
    .skipIf(isMissing(shell))
    .concurrent(
      `${shell} completes commands and the names of printers, and runs nothing that is in a name`,
      async () => {
        // The last line runs what was completed, so its output shows what the shell has inserted.
        const { stdout } = await runInTerminal(`cd '${dir}' && exec ${start}`, env, [
          ['ready> ', `${load}; echo lo''aded\r`],
          ['loaded', ''],
          ['ready> ', 'platen printers sho\t'],
          ['printers show', 'Z\t'],
          ['ran\\)\\ 2', ' --json\r'],
          ['"displayName"', 'exit\r'],
        ])
        expect(stdout).toContain('"displayName":"Zebra $(touch ran) 2"')
        expect(existsSync(join(dir, 'ran'))).toBe(false)
      },
    )
