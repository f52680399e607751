/** `platen completion SHELL`: commands, options and the names of printers. */
import type { Platen } from '@platen/sdk'
import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { connect } from './config.ts'

/** A shell waits for it. */
const TIMEOUT_MS = 2_000

export async function addCompletion(program: Command): Promise<void> {
  const completion = tab(program, { completionCommandName: 'completion' })
  // Only the request of a shell needs the names.
  const names = process.argv[2] === 'complete' ? await readNames() : []
  const complete = (add: (value: string, description: string) => void) => {
    for (const { name, state } of names) add(name, state)
  }
  for (const command of ['print', 'jobs list', 'jobs reprint']) {
    const option = completion.commands.get(command)?.options.get('printer')
    if (option) option.handler = complete
  }
  for (const command of ['printers show', 'printers set', 'printers test']) {
    const argument = completion.commands.get(command)?.arguments.get('printer')
    if (argument) argument.handler = complete
  }
}

/** Nothing without a login, or if the server does not answer: a completion prints no errors. */
async function readNames(): Promise<{ name: string; state: string }[]> {
  try {
    const { data } = await list(connect())
    return data.map(({ displayName, state }) => ({ name: displayName, state }))
  } catch {
    return []
  }
}

const list = (platen: Platen) => platen.printers.list({ limit: 100 }, { timeout: TIMEOUT_MS, maxRetries: 0 }).page()
