/** The errors of commands with wrong arguments. */
import { describe, expect, test } from 'vitest'
import { parseCommand } from '../../commands/admin/add-admin.ts'
import type { Connect } from '../../launcher/connect-services.ts'

describe('admin', () => {
  test.each<[string, string[], RegExp]>([
    ['an unknown command', ['keys', 'rotate'], /^unknown command 'rotate'/],
    ['a name that every object has', ['constructor'], /^unknown command 'constructor'/],
    ['no name', ['orgs', 'create'], /^missing required argument 'NAME'$/],
    ['a name without quotes', ['orgs', 'create', 'Corner', 'shop'], /^too many arguments for 'create'\. Expected 1/],
    ['a missing option', ['keys', 'create', '--org', 'a', '--mode', 'test'], /^required option '--scopes .*' not spec/],
    ['an option without a value', ['keys', 'list', '--org'], /^option '--org <ID>' argument missing$/],
    ['an empty option', ['keys', 'list', '--org='], /^option '--org <ID>' .* It is empty\.$/],
    ['an unknown option', ['keys', 'list', '--org', 'a', '--all'], /^unknown option '--all'/],
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
