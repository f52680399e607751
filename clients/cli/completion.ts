/** `platen completion SHELL`: commands, options and the names of printers. */
import tab from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { connect } from './config.ts'
import { print } from './output.ts'

/** A shell waits for it. */
const TIMEOUT_MS = 5_000
/** The shell that asks, because bash and zsh insert a name as it is, and fish escapes it. */
const SHELL_VARIABLE = 'PLATEN_SHELL'
const SHELLS_THAT_INSERT = ['bash', 'zsh']

/** Replaces what the script for bash takes from the package bash-completion, if it is not installed. */
const BASH_WORDS = `declare -F _get_comp_words_by_ref > /dev/null || _get_comp_words_by_ref() {
    words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
}`

export async function addCompletion(program: Command): Promise<void> {
  const completion = tab(program, { completionCommandName: 'completion' })
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description('print the script that completes commands and printers in a shell')
    .action((shell: string) => {
      if (shell === 'bash') print(BASH_WORDS)
      const caller = shell === 'powershell' ? 'platen' : `env ${SHELL_VARIABLE}=${shell} platen`
      completion.setup('platen', caller, shell)
    })

  // Only the request of a shell needs the names.
  const printers = process.argv[2] === 'complete' ? await readPrinters() : []
  const complete = (add: (value: string, description: string) => void) => {
    for (const { displayName, state } of printers) add(escapeName(displayName), state)
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

/** Nothing without a login, or if the server does not answer, because a completion prints no errors. */
async function readPrinters(): Promise<{ displayName: string; state: string }[]> {
  try {
    const list = connect().printers.list({ limit: 100 }, { timeout: TIMEOUT_MS, maxRetries: 0 })
    return (await list.page()).data
  } catch {
    return []
  }
}

/**
 * The scripts of bash and zsh evaluate a name once, and the line of the user a second time. A name could contain a
 * command.
 */
function escapeName(name: string): string {
  const isInserted = SHELLS_THAT_INSERT.includes(process.env[SHELL_VARIABLE] ?? '')
  return isInserted ? escapeOnce(escapeOnce(name)) : name
}

const escapeOnce = (text: string) => text.replaceAll(/[^\w./@%+,-]/gu, '\\$&')
