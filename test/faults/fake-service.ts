/** Simulates a process of Platen: `ready`, `silent` (never ready), or `crash` (ready, then exits). */
const behaviour = process.argv[2]

process.once('disconnect', () => process.exit(0))
if (behaviour !== 'silent') process.send?.({ ready: true })
if (behaviour === 'crash') {
  console.log(JSON.stringify({ level: 'error', msg: 'the disk is on fire' }))
  console.log(JSON.stringify({ level: 'info', msg: 'stopped' }))
  process.exit(7)
}
