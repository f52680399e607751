/**
 * A raw printer with a roll, a cover and a power switch, on a port of 127.0.0.1. Each language has a file. It records
 * each sheet with the time at which it was out.
 */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../harness/free-port.ts'

export interface Traits {
  /** The time of a sheet. */
  sheetMs: number
  /** At the end of a connection, what is not printed yet is lost. */
  losesAtEnd?: boolean
  /** Resets a connection that the other side has ended. */
  resetsAtEnd?: boolean
  /** Only the oldest connection is read. */
  isSingle?: boolean
  /** Answers arrive in pieces, each after this time. */
  pieceMs?: number
  /** Sends such bytes at the begin of a connection. */
  garbage?: Buffer
  /** Answers nothing, ever. */
  isOneWay?: boolean
}

const PIECE_BYTES = 7

export interface Sheet {
  text: string
  atMs: number
}

/** How the bytes of one connection are understood. */
export interface Interpreter {
  /** A connection begins. */
  connect?(answer: (bytes: Buffer) => void): void
  /** Called all the time, for a device that speaks without being asked. */
  observe?(): void
  /** @param answer sends bytes over the connection. */
  receive(chunk: Buffer, answer: (bytes: Buffer) => void): void
  /** The connection of the last bytes has ended. A command that it has not completed is gone. */
  disconnect(): void
  /** The next sheet is out. @returns its text; undefined without one. */
  nextSheet(): string | undefined
  /** What was received and is not printed. */
  clear(): void
  hasWork(): boolean
}

export interface Machine {
  paper: number
  isOpen: boolean
  isPaused: boolean
  readonly isOn: boolean
  odometer: number
  /** A sheet moves. */
  isMoving: boolean
}

export const canPrint = (machine: Machine) => machine.isOn && machine.paper > 0 && !machine.isOpen && !machine.isPaused

export async function startDevice(traits: Traits, createInterpreter: (machine: Machine) => Interpreter) {
  const port = await freePort()
  const machine = { paper: 1_000, isOpen: false, isPaused: false, isOn: false, odometer: 0, isMoving: false }
  const interpreter = createInterpreter(machine)
  const sheets: Sheet[] = []
  const received: Buffer[] = []
  const open: Socket[] = []
  let heard: Socket | undefined
  let server: Server | undefined
  let isStopped = false
  let power = 0

  const startReading = () => void open[0]?.resume()

  function serve(socket: Socket): void {
    open.push(socket)
    if (traits.isSingle && open[0] !== socket) socket.pause()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      open.splice(open.indexOf(socket), 1)
      if (heard === socket) interpreter.disconnect()
      startReading()
    })
    if (traits.garbage) socket.write(traits.garbage)
    let answered = Promise.resolve()
    const answer = (bytes: Buffer) => {
      if (traits.isOneWay) return
      answered = answered.then(async () => {
        if (!traits.pieceMs) return void socket.write(bytes)
        for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
          await sleep(traits.pieceMs)
          if (socket.writable) socket.write(bytes.subarray(at, at + PIECE_BYTES))
        }
      })
    }
    interpreter.connect?.(answer)
    socket.on('data', (chunk) => {
      received.push(chunk)
      heard = socket
      interpreter.receive(chunk, answer)
    })
    socket.on('end', () => {
      // The bytes of a newer connection are not in its buffer.
      if (traits.losesAtEnd && heard === socket) interpreter.clear()
      if (traits.resetsAtEnd) socket.resetAndDestroy()
      else socket.end()
    })
  }

  /** Prints a sheet after the other, while it can. */
  async function work(): Promise<void> {
    while (!isStopped) {
      await sleep(5)
      interpreter.observe?.()
      if (!canPrint(machine) || !interpreter.hasWork()) continue
      const before = power
      machine.isMoving = true
      await sleep(traits.sheetMs)
      machine.isMoving = false
      // A sheet that a fault has torn is printed again, as ^JZY and the receipts of a closed cover do.
      if (power !== before || !canPrint(machine)) continue
      const text = interpreter.nextSheet()
      if (text === undefined) continue
      machine.paper--
      machine.odometer++
      sheets.push({ text, atMs: performance.now() })
    }
  }

  async function switchOn(): Promise<void> {
    machine.isOn = true
    server = createServer({ allowHalfOpen: true }, serve).listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  /** @param vanishes without a word to the other side. */
  function switchOff({ vanishes = false } = {}): void {
    machine.isOn = false
    power++
    interpreter.clear()
    server?.close()
    for (const socket of [...open]) {
      socket.removeAllListeners('data')
      if (vanishes) socket.pause()
      else socket.resetAndDestroy()
    }
  }

  await switchOn()
  const working = work()
  return {
    uri: `socket://127.0.0.1:${port}`,
    machine,
    sheets,
    /** A sheet moves, or something waits to be printed. */
    isBusy: () => machine.isMoving || interpreter.hasWork(),
    /** All bytes of all connections. */
    received: () => Buffer.concat(received),
    switchOn,
    switchOff,
    async stop() {
      isStopped = true
      await working
      server?.close()
      for (const socket of [...open]) socket.resetAndDestroy()
    },
  }
}

export type Device = Awaited<ReturnType<typeof startDevice>>
