/**
 * Numbers for people, counted per organization and mode. The database assigns them, so computers and printers that
 * release 0.1.0 adds have one, too. Both are added rarely, so the lock on their counter costs nothing. A row that
 * exists keeps its number, also if an `ON CONFLICT` updates it.
 */
const TABLES = ['computer', 'printer'] as const

/** The rows that an INSERT can conflict with. */
const EXISTING = {
  computer: `SELECT number FROM devices.computer WHERE mode = 'test' AND NEW.mode = 'test' AND organization_id = NEW.organization_id`,
  printer: 'SELECT number FROM devices.printer WHERE computer_id = NEW.computer_id AND os_name = NEW.os_name',
}

export const ADD_NUMBERS = [
  `CREATE TABLE devices.last_number (
    organization_id uuid NOT NULL,
    mode text NOT NULL,
    resource text NOT NULL,
    last int NOT NULL,
    PRIMARY KEY (organization_id, mode, resource)
  )`,
  ...TABLES.flatMap((table) => [
    `ALTER TABLE devices.${table} ADD COLUMN number int`,
    `UPDATE devices.${table} SET number = numbered.number
      FROM (SELECT id, row_number() OVER (PARTITION BY organization_id, mode ORDER BY created_at, id) AS number FROM devices.${table}) AS numbered
      WHERE ${table}.id = numbered.id`,
    `INSERT INTO devices.last_number
      SELECT organization_id, mode, '${table}', max(number) FROM devices.${table} GROUP BY organization_id, mode`,
    `ALTER TABLE devices.${table} ALTER COLUMN number SET NOT NULL`,
    `CREATE UNIQUE INDEX ${table}_by_number ON devices.${table} (organization_id, mode, number)`,
    `CREATE FUNCTION devices.number_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.number := (${EXISTING[table]});
        IF NEW.number IS NULL THEN
          INSERT INTO devices.last_number AS counter VALUES (NEW.organization_id, NEW.mode, '${table}', 1)
          ON CONFLICT (organization_id, mode, resource) DO UPDATE SET last = counter.last + 1
          RETURNING last INTO NEW.number;
        END IF;
        RETURN NEW;
      END $$`,
    `CREATE TRIGGER number BEFORE INSERT ON devices.${table} FOR EACH ROW EXECUTE FUNCTION devices.number_${table}()`,
  ]),
]
