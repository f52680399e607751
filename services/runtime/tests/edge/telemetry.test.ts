import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { traceEnvironment } from '@platen/test/harness/trace-environment.ts'
import { startTraceReceiver } from '@platen/test/traces/receiver.ts'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = new URL('traced-program.ts', import.meta.url).pathname

test('an imported ES module is instrumented, and its spans are sent before the process ends', async () => {
  const receiver = await startTraceReceiver()
  onTestFinished(() => receiver.close())
  const env = { ...process.env, ...traceEnvironment(receiver) }
  await promisify(execFile)(process.execPath, [PROGRAM, `http://127.0.0.1:${receiver.port}/`], { env })
  expect(receiver.traces()).toMatchObject([
    [{ service: 'traced-program', tracer: '@opentelemetry/instrumentation-http', kind: 'client', name: 'GET' }],
  ])
})
