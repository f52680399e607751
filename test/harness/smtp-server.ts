/** A mail server that keeps all received mails. */
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Raw content. */
  source: string
}

/** @param options of the server, for example refusals and required authentication. */
export async function startSmtpServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 0,
    onData(stream, { envelope }, done) {
      text(stream).then((source) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), source })
        done()
      }, done)
    },
    ...options,
    onConnect(session, done) {
      connections++
      if (options.onConnect) options.onConnect.call(server, session, done)
      else done()
    },
  })
  // A client may close the connection at any time.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return { port, received, connections: () => connections, server }
}
