# A shop, the same bytes whenever it is made: 50,000 orders of 12,000 customers in two years, 16 categories, 60 cities in
# three regions. Few customers order much: 0.8 % have more than 60 orders, and a fourth of all. A customer lives in one
# city. With list=city or list=category its keys, one a line.
#
#   awk -f tests/scene/shop.awk >shop.csv
#   awk -v list=city -f tests/scene/shop.awk >cities

# A number below n: a linear congruence in whole numbers below 2^53, of which the upper bits are used.
function draw(n) {
    state = (state * 69069 + 1) % 4294967296
    return int(state / 65536) * n / 65536
}

# Between 0 and 1.
function part() {
    return (int(draw(65536)) + draw(1)) / 65536
}

function skewed(n, power) {
    return int(n * part() ^ power)
}

function order(customer,    day, month) {
    month = int(draw(24))
    day = 1 + int(draw(28))
    printf "%05d,%s,city%02d,category%02d,%d-%02d-%02d,%.2f\n", customer, region[city[customer] % 3], city[customer],
        skewed(16, 1.5), 2023 + int(month / 12), 1 + month % 12, day, 5 + int(17500 * part() ^ 2) / 100
}

BEGIN {
    if (list != "") {
        for (i = 0; i < (list == "city" ? 60 : 16); i++)
            printf "%s%02d\n", list, i
        exit
    }
    state = 20230101
    split("north middle south", names, " ")
    for (i = 0; i < 3; i++)
        region[i] = names[i + 1]
    print "customer,region,city,category,day,amount"
    for (i = 0; i < 12000; i++)
        city[i] = skewed(60, 1.4)
    for (i = 0; i < 12000; i++)
        order(i)
    for (i = 12000; i < 50000; i++)
        order(part() < 0.31 ? 120 * skewed(100, 1.3) + 7 : skewed(12000, 1.4))
}
