import { once } from 'node:events'
import { connect } from 'node:net'

/** Sends these bytes and nothing else. @returns all that came back until the server closed. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  return answer
}
