/** The errors of commands with wrong arguments. */
import { describe, expect, test } from 'vitest'
import { parseCommand } from '../../commands/admin/arguments.ts'
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
