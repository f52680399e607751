import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { EXIT, Failure } from './exit-codes.ts'

/**
 * Asks for a line on the terminal.
 *
 * @throws Failure without a terminal, or at Ctrl-C and Ctrl-D.
 */
export async function ask(question: string, { isHidden = false } = {}): Promise<string> {
  if (!process.stdin.isTTY)
    throw new Failure('No terminal. Use --server and --key-file, with - for standard input.', EXIT.usage)
  // The interface echoes what is typed to its output.
  const output = isHidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // After the terminal has stopped to echo.
  process.stderr.write(question)
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', (line) => resolve(line.trim()))
      lines.once('SIGINT', () => reject(new Failure('Nothing was changed.', EXIT.interrupted)))
      lines.once('close', () => reject(new Failure('Nothing was changed.')))
    })
  } finally {
    lines.close()
    if (isHidden) process.stderr.write('\n')
  }
}
