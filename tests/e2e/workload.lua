-- A workload for the Lua interpreter: every kind of value, the collector, coroutines, errors, the libraries. Its output
-- depends on nothing but the interpreter's code.
local function show(...) print(select('#', ...), ...) end

-- numbers
for _, v in ipairs{1, -7, 2^53, 1e308, 3.25, 1//1, 7//2, -7//2, 7%3, -7%3, 7.5%2} do show(v, math.type(v)) end
show(1 << 62, 1 << 63, -1 >> 1, 5 & 3, 5 | 3, 5 ~ 3, ~0, math.maxinteger + 1 == math.mininteger)
show(math.tointeger(3.0), math.ult(1, -1), math.fmod(-6, 4), string.format('%.14g %5.2f %x %q', 1/3, math.pi, 255, 'a\nb"c'))
show(tonumber('0x10'), tonumber('z', 36), tonumber('1e2'), tonumber('bad'), 10 / 2, 3 | 0)

-- strings
local text = ('The quick brown fox jumps over the lazy dog. '):rep(200)
local counts = {}
for c in text:gmatch('%a') do c = c:lower(); counts[c] = (counts[c] or 0) + 1 end
local keys = {}
for k in pairs(counts) do keys[#keys + 1] = k end
table.sort(keys, function(a, b) return counts[a] ~= counts[b] and counts[a] > counts[b] or counts[a] == counts[b] and a < b end)
for _, k in ipairs(keys) do io.write(k, '=', counts[k], ' ') end
print()
show(text:find('lazy', 100, true), text:sub(-10), #text, text:byte(1, 5))
show(('key = value, other = 17'):gsub('(%w+) = (%w+)', '%2 = %1'))
show(string.pack('<i4 z s1 d', 77, 'zero', 'one', 2.5):byte(1, -1))
show(string.unpack('<i4 z', string.pack('<i4 z', -5, 'back')))
show(utf8.char(72, 228, 8364, 128512), utf8.len('häß'), ('%s|%10s|%-10s|'):format(true, 'right', 'left'))

-- tables, closures, metatables
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
show(fib(27))
local Vector = {}
Vector.__index = Vector
Vector.__add = function(a, b) return setmetatable({x = a.x + b.x, y = a.y + b.y}, Vector) end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
Vector.__lt = function(a, b) return a.x < b.x end
Vector.__tostring = function(v) return '(' .. v.x .. ',' .. v.y .. ')' end
Vector.__call = function(v, n) return v.x * n end
Vector.__concat = function(a, b) return tostring(a) .. '~' .. tostring(b) end
Vector.__len = function() return 2 end
Vector.__close = function(v) print('close', v) end
local function vec(x, y) return setmetatable({x = x, y = y}, Vector) end
local sum = vec(0, 0)
for i = 1, 1000 do sum = sum + vec(i, -i) end
show(tostring(sum), sum == vec(500500, -500500), vec(1, 0) < vec(2, 0), sum(2), sum .. 'x', #sum)
do local a <close> = vec(1, 2); local b <const> = 5; show(b) end
local sieve, primes = {}, 0
for i = 2, 20000 do
  if not sieve[i] then primes = primes + 1; for j = i * i, 20000, i do sieve[j] = true end end
end
show(primes, table.concat({1, 2, 3}, '-'), table.unpack({1, 2, nil, 4}, 1, 4))
local list = {}
for i = 1, 5000 do list[i] = (i * 7919) % 5003 end
table.sort(list)
show(list[1], list[2500], list[5000], #table.move(list, 1, 10, 5, {}))
goto done
show('not reached')
::done::

-- coroutines
local function permutations(items, n)
  n = n or #items
  if n <= 1 then coroutine.yield(items) end
  for i = 1, n do
    items[n], items[i] = items[i], items[n]
    permutations(items, n - 1)
    items[n], items[i] = items[i], items[n]
  end
end
local count, last = 0, nil
for p in coroutine.wrap(function() permutations{1, 2, 3, 4, 5, 6} end) do count = count + 1; last = table.concat(p) end
show(count, last)
local co = coroutine.create(function(a) local b = coroutine.yield(a + 1); error({code = b}) end)
show(coroutine.resume(co, 1))
local ok, err = coroutine.resume(co, 42)
show(ok, err.code, coroutine.status(co))

-- errors
show(pcall(error, 'message', 0))
show(pcall(function() local t = nil; return t.field end))
show(pcall(function() return {} + 1 end))
show(pcall(string.rep, 'x', -1))
show(xpcall(function() error('deep') end, function(m) return 'handled: ' .. m:gsub('^.-:%d+: ', '') end))
show(select(2, pcall(function() local function f() return f() + 1 end return f() end)):match('stack overflow'))
show(load('return 1 +'))
show(load('local a <const> = 1; a = 2'))
show(load(string.dump(load('local x, y = ...; return x * y + 1')))(6, 7))

-- the collector
local weak = setmetatable({}, {__mode = 'k'})
for i = 1, 2000 do weak[{}] = {i, tostring(i)} end
collectgarbage()
local left = 0
for _ in pairs(weak) do left = left + 1 end
show(left, collectgarbage('step'), collectgarbage('isrunning'))
collectgarbage('generational')
local garbage = {}
for i = 1, 50000 do garbage[i % 100] = {i, {i}} end
collectgarbage('incremental')
show(garbage[42][2][1], os.time{year = 2020, month = 2, day = 29, hour = 12} ~= nil, os.date('!%Y-%m-%d', 86400 * 365))
