-- A workload for the SQLite shell: its output depends on nothing but the program's code.
.headers on
PRAGMA journal_mode = wal;
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, credit REAL DEFAULT 0 CHECK(credit >= 0));
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer REFERENCES customers(id), day TEXT, amount REAL, note BLOB);
CREATE INDEX orders_by_customer ON orders(customer, amount DESC);
CREATE VIEW totals AS SELECT customer, sum(amount) AS total, count(*) AS number FROM orders GROUP BY customer;
CREATE TRIGGER charge AFTER INSERT ON orders BEGIN UPDATE customers SET credit = credit + new.amount WHERE id = new.customer; END;
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
INSERT INTO customers SELECT i, printf('customer %03d', i), CASE i % 5 WHEN 0 THEN 'Oslo' WHEN 1 THEN 'Lima' WHEN 2 THEN 'Köln' WHEN 3 THEN NULL ELSE 'Kyoto' END, i * 0.25 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
INSERT INTO orders SELECT i, (i * 7919) % 400 + 1, date('2020-01-01', (i % 700) || ' days'), round((i * 31 % 997) / 7.0, 2), zeroblob(i % 17) FROM n;
COMMIT;
SELECT count(*), round(sum(amount), 2), min(day), max(day), avg(length(note)) FROM orders;
SELECT city, count(*) AS customers, round(sum(credit), 2) AS credit FROM customers GROUP BY city ORDER BY customers DESC, city;
SELECT c.name, t.number, round(t.total, 2) FROM totals t JOIN customers c ON c.id = t.customer ORDER BY t.total DESC, c.id LIMIT 7;
SELECT id, amount, row_number() OVER w AS r, round(sum(amount) OVER w, 2) AS running, lag(amount, 1, 0) OVER w AS before
  FROM orders WHERE customer = 42 WINDOW w AS (ORDER BY day, id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) LIMIT 10;
EXPLAIN QUERY PLAN SELECT * FROM orders WHERE customer = 7 AND amount > 50 ORDER BY amount DESC;
SELECT name FROM customers WHERE name LIKE '%9_' AND city IS NOT NULL AND id IN (SELECT customer FROM orders WHERE amount > 140) ORDER BY 1;
SELECT json_group_array(json_object('id', id, 'city', city)) FROM (SELECT * FROM customers ORDER BY id LIMIT 4);
SELECT json_extract('{"a":[1,{"b":null},"x"]}', '$.a[1]'), json_array_length('[1,2,[3]]'), json_valid('{bad');
SELECT upper('straße'), substr('abcdef', -3, 2), replace('aXbXc', 'X', '--'), hex(zeroblob(2)), instr('haystack', 'st'), quote(x'00ff'), unicode('€');
SELECT 9223372036854775807 + 1, 5 / 2, 5 % -3, -5 / 2, 1e308 * 10, 0.1 + 0.2, cast('12abc' AS INTEGER), 7 << 60, round(2.5), typeof(1 / 0);
SELECT strftime('%Y-%m-%d %H:%M:%S %j %w', 1234567890, 'unixepoch'), julianday('2000-01-01 12:00:00'), date('2024-02-29', '+1 year', 'start of month', '-1 day');
CREATE VIRTUAL TABLE documents USING fts5(title, body);
INSERT INTO documents SELECT 'document ' || id, 'word' || (id % 13) || ' common word' || (id % 7) || ' of ' || coalesce(city, 'nowhere') FROM customers;
SELECT rowid, title FROM documents WHERE documents MATCH 'word3 AND oslo' ORDER BY rowid LIMIT 5;
SELECT highlight(documents, 1, '[', ']') FROM documents WHERE documents MATCH 'word12 NEAR common' LIMIT 2;
CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1, y0, y1);
INSERT INTO boxes SELECT id, id % 20, id % 20 + 2, id / 20, id / 20 + 3 FROM customers;
SELECT count(*), sum(id) FROM boxes WHERE x0 >= 3 AND x1 <= 12 AND y0 > 4 AND y1 < 15;
UPDATE orders SET amount = amount * 1.1 WHERE customer BETWEEN 10 AND 20;
DELETE FROM orders WHERE amount < 5;
INSERT INTO customers(id, name) VALUES (1, 'again') ON CONFLICT(id) DO UPDATE SET name = excluded.name RETURNING id, name;
SAVEPOINT here;
DELETE FROM customers;
SELECT count(*) FROM customers;
ROLLBACK TO here;
SELECT count(*), total(credit) > 0 FROM customers;
RELEASE here;
INSERT INTO customers(id, name, credit) VALUES (9999, 'poor', -1);
SELECT * FROM no_such_table;
WITH RECURSIVE
  xaxis(x) AS (VALUES(-2.0) UNION ALL SELECT x + 0.1 FROM xaxis WHERE x < 1.2),
  yaxis(y) AS (VALUES(-1.0) UNION ALL SELECT y + 0.2 FROM yaxis WHERE y < 1.0),
  m(iter, cx, cy, x, y) AS (SELECT 0, x, y, 0.0, 0.0 FROM xaxis, yaxis UNION ALL
    SELECT iter + 1, cx, cy, x * x - y * y + cx, 2.0 * x * y + cy FROM m WHERE (x * x + y * y) < 4.0 AND iter < 28),
  m2(iter, cx, cy) AS (SELECT max(iter), cx, cy FROM m GROUP BY cx, cy),
  a(t) AS (SELECT group_concat(substr(' .+*#', 1 + min(iter / 7, 4), 1), '') FROM m2 GROUP BY cy)
SELECT group_concat(rtrim(t), x'0a') FROM a;
VACUUM;
PRAGMA integrity_check;
.mode insert
SELECT * FROM customers WHERE id < 4;
.dump boxes
