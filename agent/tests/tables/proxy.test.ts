import { expect, test } from 'vitest'
import { selectProxy } from '../../transport/proxy.ts'

const PROXY = 'http://proxy:3128'

test.each([
  ['https://print.example', { HTTPS_PROXY: PROXY }, true],
  ['https://print.example', { https_proxy: 'proxy:3128', HTTPS_PROXY: 'http://other:1' }, true],
  ['https://print.example', { HTTP_PROXY: PROXY }, false],
  ['http://print.example', { HTTP_PROXY: PROXY }, true],
  ['http://print.example', { HTTPS_PROXY: PROXY }, false],
  ['http://localhost:8090', { HTTP_PROXY: PROXY }, false],
  ['http://127.0.0.1:8090', { HTTP_PROXY: PROXY }, false],
  ['http://[::1]:8090', { HTTP_PROXY: PROXY }, false],
])('%s with the environment %j uses the proxy: %s', (target, env, isUsed) => {
  expect(selectProxy(new URL(target), undefined, env as NodeJS.ProcessEnv)?.href).toBe(isUsed ? `${PROXY}/` : undefined)
})

test.each([
  ['print.example', true, ['print.example', 'example', '.example', '*.example', '*', ' other , print.example']],
  ['print.example', true, ['print.example:443']],
  ['print.example', false, ['print.example:8443', '', ',', 'rint.example']],
  ['10.1.2.3', true, ['10.0.0.0/8', '10.1.2.3']],
  ['10.1.2.3', false, ['11.0.0.0/8', '2.3', '10.0.0.0/99']],
  ['[fd12::1]', true, ['fd12::/16', 'fd12::1']],
])('whether %s is excepted is %s for each NO_PROXY of %j', (host, isExcepted, lists) => {
  for (const NO_PROXY of lists) {
    const proxy = selectProxy(new URL(`https://${host}`), undefined, { HTTPS_PROXY: PROXY, NO_PROXY })
    expect(proxy === undefined, NO_PROXY).toBe(isExcepted)
  }
})

test('the proxy of agent.json has priority over the environment and its exceptions', () => {
  const env = { HTTPS_PROXY: 'http://other:1', NO_PROXY: '*' }
  const target = new URL('https://print.example')
  expect(selectProxy(target, PROXY, env)?.host).toBe('proxy:3128')
  expect(selectProxy(target, 'none', { HTTPS_PROXY: 'http://other:1' })).toBeUndefined()
})

test.each(['socks5://proxy:1080', 'https://proxy:3128', 'http://proxy/path', 'http://', 'http://till:50%@proxy:3128'])(
  '%s is not a valid proxy',
  (text) => {
    expect(() => selectProxy(new URL('https://print.example'), undefined, { HTTPS_PROXY: text })).toThrow(
      'HTTPS_PROXY must be a proxy such as http://proxy.example:3128. Write the characters "%",',
    )
  },
)
