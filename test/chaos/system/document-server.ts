/**
 * The web server that jobs with a URL name. It is in the process of the harness, at a loopback address of its own, and is no victim of
 * faults: what goes wrong with a fetch is settled for each URL beforehand. Started by `run-seed.ts`.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Fetches go to ports 80 and 443 alone (decisions, "Jobs"). */
const PORT = 80
const ADDRESSES_TRIED = 5
const USER = 'chaos'
/** A trickle takes a second. */
const PIECES = 10
const PIECE_EVERY_MS = 100

export interface ServedDocument {
  content: Buffer
  /** The last two give no whole document to anybody. */
  manner: 'at once' | 'trickling' | 'missing' | 'broken off'
  /** With it, only who has it gets the document. */
  password?: string
}

export interface DocumentServer {
  /** Its address alone, for `PLATEN_ALLOWED_NETWORKS`. */
  network: string
  /** @param path begins with a slash. @returns the URL. */
  serve(path: string, document: ServedDocument): string
  stop(): Promise<void>
}

/** @returns in words why there is none, where nobody may listen on port 80 or somebody listens there already. */
export async function startDocumentServer(): Promise<DocumentServer | string> {
  const documents = new Map<string, ServedDocument>()
  const server = createServer(({ url = '', headers }, response) => {
    const document = documents.get(url)
    const isWelcome = document?.password === undefined || headers.authorization === basic(document.password)
    if (!document || document.manner === 'missing') response.writeHead(404).end('There is nothing here.')
    else if (isWelcome) void send(response, document)
    else response.writeHead(401).end('That is not for you.')
  })
  let why = ''
  for (let tries = 0; tries < ADDRESSES_TRIED; tries++) {
    const address = randomAddress()
    try {
      await once(server.listen(PORT, address), 'listening')
    } catch (error) {
      if (!(error instanceof Error)) throw error
      why = error.message
      continue
    }
    return {
      network: `${address}/32`,
      serve(path, document) {
        documents.set(path, document)
        return `http://${address}${path}`
      },
      async stop() {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    }
  }
  return why
}

/** Two runs on one machine have two. Not where the proxies are: see `network.ts`. */
function randomAddress(): string {
  const part = () => 1 + Math.floor(Math.random() * 250)
  return `127.78.${part()}.${part()}`
}

export function credentialsOf(password: string) {
  return { type: 'BasicAuth', credentials: { user: USER, pass: password } }
}

const basic = (password: string) => `Basic ${Buffer.from(`${USER}:${password}`).toString('base64')}`

async function send(response: ServerResponse, { content, manner }: ServedDocument): Promise<void> {
  response.writeHead(200, { 'content-length': content.length })
  if (manner === 'at once') return void response.end(content)
  const pieceBytes = Math.ceil(content.length / PIECES)
  for (let n = 0; n < PIECES && !response.destroyed; n++) {
    if (manner === 'broken off' && n === PIECES / 2) return void response.destroy()
    response.write(content.subarray(n * pieceBytes, (n + 1) * pieceBytes))
    await sleep(manner === 'trickling' ? PIECE_EVERY_MS : 0)
  }
  response.end()
}
