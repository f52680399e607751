import { setTimeout as sleep } from 'node:timers/promises'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'

type Hears = NonNullable<Parameters<typeof connectLightAgent>[2]>

/** After a refused connection. A load balancer would have chosen another replica. */
const RETRY_MS = 50

/**
 * A light agent that reconnects as the real agent does, each time to one of the replicas at random, as by a load
 * balancer.
 *
 * @param addresses of the replicas. @returns after the first Welcome.
 */
export async function keepConnected(addresses: string[], credential: string, hears: Hears = {}): Promise<LightAgent> {
  const held = new Map<string, number>()
  let isClosed = false
  let agent: LightAgent | undefined

  async function hold(onWelcome: () => void): Promise<void> {
    const { promise: ended, resolve: onEnd } = Promise.withResolvers<number>()
    const address = addresses[Math.floor(Math.random() * addresses.length)] ?? ''
    agent = await connectLightAgent(address, credential, { ...hears, held, onEnd })
    onWelcome()
    if (isClosed) agent.close()
    await sleep(await ended)
  }

  const { promise: welcomed, resolve: onWelcome } = Promise.withResolvers<void>()
  void (async () => {
    while (!isClosed) await hold(onWelcome).catch(() => sleep(RETRY_MS))
  })()
  await welcomed
  return {
    close() {
      isClosed = true
      agent?.close()
    },
    repeat: () => agent?.repeat(),
  }
}
