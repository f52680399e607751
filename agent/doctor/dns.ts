import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { AgentConfig } from '../config.ts'
import { explain } from '../transport/explain-error.ts'
import { getProxyName, selectProxy } from '../transport/proxy.ts'
import { type Finding, ok, problem } from './finding.ts'
import { getUrls } from './urls.ts'

/** Checks the host names that this computer must resolve itself: with a proxy, only that of the proxy. */
export async function examineNames(config: AgentConfig): Promise<Finding[]> {
  const routes = getUrls(config).map((url) => ({ url, proxy: selectProxy(url, config.proxy) }))
  const proxies = new Set(routes.flatMap(({ proxy }) => (proxy ? [getProxyName(proxy)] : [])))
  const names = new Set(routes.map(({ url, proxy }) => (proxy ?? url).hostname.replace(/^\[|\]$/g, '')))
  const proxyFindings = [...proxies].map((host) => ok('proxy', `Connections go through the proxy ${host}.`))
  return [...proxyFindings, ...(await Promise.all([...names].map(examineName)))]
}

async function examineName(name: string): Promise<Finding> {
  if (isIP(name)) return ok('DNS', `${name} is an address; DNS is not needed.`)
  try {
    const addresses = await lookup(name, { all: true })
    return ok('DNS', `${name} resolves to ${addresses.map(({ address }) => address).join(', ')}.`)
  } catch (error) {
    return problem('DNS', explain(error, name))
  }
}
