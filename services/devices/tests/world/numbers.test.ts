import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'

test('computers and printers are numbered from 1, and keep their number when they are reported again', async () => {
  proves('computers.number', 'printers.number')
  const { devices, tenant, connect, query } = await startTestDevices()
  const reported = ['a', 'b'].map((osName) => ({ osName, name: osName }))
  await connect({ printers: reported })
  const second = await connect({ printers: [{ osName: 'a', name: 'a' }] })
  const numbers = async () => {
    const [{ computers }, { printers }] = await Promise.all([
      devices.listComputers({ ...tenant, page: { limit: 25 } }),
      devices.listPrinters({ ...tenant, page: { limit: 25 } }),
    ])
    return { computers: computers.map(({ number }) => number), printers: printers.map(({ number }) => number) }
  }
  const before = await numbers()
  expect(before.computers).toEqual([2, 1])
  expect(before.printers.toSorted()).toEqual([1, 2, 3])
  // A changed report does the same.
  await query(`INSERT INTO devices.printer SELECT * FROM devices.printer WHERE organization_id = $1
    ON CONFLICT (computer_id, os_name) DO UPDATE SET name = 'changed'`)
  expect(await numbers()).toEqual(before)
  const { printers } = await devices.listPrinters({ ...tenant, page: { limit: 25 }, number: 3 })
  expect(printers.map(({ computerId }) => computerId)).toEqual([second.computerId])
  const { computers } = await devices.listComputers({ ...tenant, page: { limit: 25 }, number: 1 })
  expect(computers.map(({ id }) => id)).not.toEqual([second.computerId])
})
