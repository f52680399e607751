/** The errors of commands with wrong arguments. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseCommand } from '../../commands/admin/arguments.ts'
import { parseArguments } from '../../commands/webhooks/arguments.ts'
import type { Connect } from '../../launcher/connect-services.ts'

describe('admin', () => {
  test.each<[string, string[], RegExp]>([
    ['no command', [], /^Unknown command. Use one of: orgs create, .*users remove\.$/],
    ['an unknown command', ['keys', 'rotate'], /^Unknown command. Use one of: /],
    ['a name that every object has', ['constructor'], /^Unknown command. Use one of: /],
    ['no name', ['orgs', 'create'], /^Usage: npm run -s admin -- orgs create NAME$/],
    ['a name without quotes', ['orgs', 'create', 'Corner', 'shop'], /^Usage: .* orgs create NAME$/],
    ['a missing option', ['keys', 'create', '--org', 'a', '--mode', 'test'], /^Usage: .* --scopes /],
    ['an option without a value', ['keys', 'list', '--org'], /^Usage: .* keys list --org ID$/],
    ['an empty option', ['keys', 'list', '--org='], /^Usage: .* keys list --org ID$/],
    ['an unknown option', ['keys', 'list', '--org', 'a', '--all'], /^Usage: .* keys list --org ID$/],
  ])('refuses %s in one sentence', (_, args, sentence) => {
    expect(() => parseCommand(args)).toThrow(sentence)
  })

  test.each(['-1', '1.5', '4294967296', 'none', '1e3'])(
    'refuses a limit of %s before it calls a service',
    async (limit) => {
      for (const [prints, computers] of [
        [limit, '1'],
        ['1', limit],
      ]) {
        const run = parseCommand(['plans', 'set', '--org', 'a', `--prints=${prints}`, `--computers=${computers}`])
        const sentence = /^`--(prints|computers)` must be a whole number .*\.$/
        await expect(run((() => expect.unreachable()) as Connect)).rejects.toThrow(sentence)
      }
    },
  )
})

describe('webhooks', () => {
  const GOOD = ['listen', '--forward', 'http://localhost:3000/hook']
  const KEY = { PLATEN_KEY: 'the-key' }
  const toSecret = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`

  test.each([[[]], [['follow', ...GOOD.slice(1)]], [['listen']], [[...GOOD, '--key', 'k']], [[...GOOD, '--loud']]])(
    'shows its usage for %j',
    (args) => expect(() => parseArguments(args, KEY)).toThrow(/^Usage: npm run webhooks -- listen --forward/),
  )

  test('takes the key from the environment or a file, and shows its usage without one', () => {
    const directory = mkdtempSync(join(tmpdir(), 'platen-key-'))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const file = join(directory, 'key')
    writeFileSync(file, 'file-key\n')
    expect(parseArguments(GOOD, KEY).key).toBe('the-key')
    expect(parseArguments([...GOOD, '--key-file', file], KEY).key).toBe('file-key')
    expect(() => parseArguments([...GOOD, '--key-file', directory], KEY)).toThrow(/^`--key-file` .* is not readable/)
    expect(() => parseArguments(GOOD, {})).toThrow(/^Usage: .*PLATEN_KEY/s)
    expect(() => parseArguments(GOOD, { PLATEN_KEY: 'a b' })).toThrow('The key must be an API key')
  })

  const SECRETS = ['whsec_', 'hello', 'whsec_*', toSecret(23), toSecret(65)]
  test.each<[string, string, RegExp]>([
    ['--forward', 'localhost:3000', /^`--forward` must be an http/],
    ['--server', 'ftp://a', /^`--server` must be an http/],
  ])('refuses %s %s', (option, value, sentence) => {
    expect(() => parseArguments([...GOOD, option, value], KEY)).toThrow(sentence)
  })

  test.each(SECRETS)('refuses the secret %s', (secret) => {
    const sentence = /^WEBHOOK_SECRET must be `whsec_` and/
    expect(() => parseArguments(GOOD, { ...KEY, WEBHOOK_SECRET: secret })).toThrow(sentence)
  })

  test('takes secrets of 24 and 64 bytes, and the server of this directory by default', () => {
    for (const secret of [toSecret(24), toSecret(64)])
      expect(
        parseArguments(GOOD, { ...KEY, WEBHOOK_SECRET: secret, PLATEN_PORT: '8090', PLATEN_AGENT_PORT: '1' }),
      ).toMatchObject({
        secret,
        server: 'http://localhost:8090',
      })
  })
})
